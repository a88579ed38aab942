/** The package has schemas without types. */
declare module 'discord-api-spec/zod' {
  type Schema = {
    safeParse(value: unknown): {
      success: boolean
      error?: { issues: { path: PropertyKey[]; message: string }[] }
    }
  }
  export const ApplicationCommandCreateRequestSchema: Schema
  export const MessageCreateRequestSchema: Schema
  export const MessageEditRequestPartialSchema: Schema
  export const ModalInteractionCallbackRequestDataSchema: Schema
}
