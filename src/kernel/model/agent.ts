/** A program that asks in the name of the person who answers for it, as bellhop.yml lists it. */
export type Agent = {
  readonly id: string
  readonly name: string
  /** The id of that person. */
  readonly owner: string
  readonly roles: readonly string[]
  /**
   * The variable that holds its token, or its client id where an issuer gives out tokens; `workflow` for the workflows of a
   * messenger's own, for which the messenger answers.
   */
  readonly token: { readonly env: string } | { readonly client: string } | { readonly workflow: true }
  /** How many calls a minute. */
  readonly rate: number
  /** `few`: three tools to find and run commands, in the place of one for each. */
  readonly tools: 'all' | 'few'
}
