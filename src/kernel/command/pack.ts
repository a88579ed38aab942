import type { ServiceSandbox, StandIn } from '../../lib/sandbox/service-sandbox.ts'
import type { ServiceSettings, Services } from '../../lib/services/client/client.ts'
import type { Service } from '../../lib/services/endpoints/row.ts'
import type { RowId } from '../../lib/services/endpoints/tables.ts'
import type { LinkEnd } from '../../lib/things/link.ts'
import type { Thing, ThingKind, ThingReference } from '../../lib/view/thing.ts'
import type { Block, Offer, View } from '../../lib/view/view.ts'
import type { KnownPerson } from '../model/known-person.ts'
import type { ReadContext } from './context.ts'
import type { Definition } from './define.ts'
import type { PackWords } from './language.ts'

/** All of one service: what the client knows of it, and what people see of it. */
export type Pack = Service & {
  /** The major version of `bellhop/pack` that it is written for. */
  readonly surface: number
  /** In the order in which help lists them. */
  readonly commands: readonly Definition[]
  /** Where the things of its kinds are looked up. */
  readonly things?: { readonly [kind in ThingKind]?: ThingSource }
  /** What it adds to what is known of a person. */
  readonly person?: PersonPart
  /** What people say for its commands besides their names. */
  readonly words?: PackWords
  /** The stand-in, loaded only where the environment does not say where the real one is. */
  readonly sandbox: () => Promise<ServiceSandbox>
  /** Lines that call the stand-in by hand, for whoever started it alone. */
  readonly tryIt?: (settings: ServiceSettings) => string[]
}

/** One that comes with the bot: `commands/` has what people do with it. */
export type OwnPack = Omit<Pack, 'commands'>

/** A thing that could be meant, with what helps to tell it from others. */
export type Candidate = Thing & {
  beside?: string
  /** Other words by which it is found, and which nobody needs to see. */
  keys?: readonly string[]
}

/** What a source may use to find the things of its kind. */
export type SourceContext = Services['readers'] & {
  /** What somebody wrote so far. */
  typed: string
  /** The zone of the team, for labels: nothing in a picker can show each reader their own. */
  zone: string
  /** The things that were chosen beside it. */
  within: readonly ThingReference[]
  /** One shared read for all who type, which is kept for half a minute. */
  kept<T>(key: string, read: () => Promise<T>): Promise<T>
  /** The things of a kind that earlier requests named, of those that the actor may see. */
  inRequests(kind: ThingKind): Promise<Candidate[]>
  /** Whom links know something to belong to. */
  links: ReadContext['links']
  /** The things of another kind, for the same words. */
  ofKind(kind: ThingKind): Promise<Candidate[]>
}

export type ThingSource = {
  /** The commands that show the same: people who may run none of them are offered nothing from here. */
  readonly shownBy: readonly string[]
  read(context: SourceContext): Promise<Candidate[]>
  /** Where an address or an id leads to an owner of such things: those to choose from, the newest first. */
  readonly owned?: {
    readonly by: ThingKind
    list(
      owner: string,
      context: ReadContext,
    ): Promise<{ id: string; words?: string; closedTo?: readonly string[] }[]>
    /** The sentence for an owner who has none. */
    none(owner: string): string
  }
}

/** Whom a part of a person's view is about, as far as links know by now. */
export type PersonKnown = {
  start: LinkEnd
  person: KnownPerson
  /** The same by links that may steer money; undefined while they could not be read. */
  payer: KnownPerson | undefined
}

/** What one service says of somebody. */
export type PersonSaid = {
  /** All that people need at once, in one line, and what can be done with it. */
  line?: { words: string; thing?: Thing | undefined } | undefined
  /** What they are elsewhere, such as "Buyer at Northwind Cycles". */
  about?: string | undefined
  /** What stands on the first screen where a line is not enough. */
  blocks?: Block[] | undefined
  /** The whole record. */
  details?: Block[] | undefined
  /** What people do next, what mends something first. */
  offers?: readonly Offer[] | undefined
  /** Their name, if the service knows it. */
  name?: string | undefined
  tone?: View['tone'] | undefined
  isFound: boolean
  /** False where the service could not be asked. */
  isAsked: boolean
}

export type PersonPart = {
  /** The rows that it reads. */
  readonly uses: readonly RowId[]
  /**
   * Asks the service; undefined while nothing is known by which it could be asked. What it answers may teach links, and then
   * the others are tried again. Nothing that it calls may take longer than `within` says.
   */
  look(
    known: PersonKnown,
    context: ReadContext,
    within: () => { deadlineMs: number },
  ): (() => Promise<PersonSaid>) | undefined
  /** What is said where it was never asked. */
  absent(known: PersonKnown, context: ReadContext): Block[]
  /** Blocks that stand at the end of its part, asked or not. */
  more?(known: PersonKnown, context: ReadContext): Promise<Block[]>
  /** By what name people know whoever has this address. */
  name?(address: string, context: ReadContext, options: { deadlineMs: number }): Promise<string | undefined>
  /** What `person find` shows of it. */
  readonly find?: {
    readonly uses: readonly RowId[]
    readonly heading: string
    read(words: string, context: ReadContext, options: { deadlineMs: number }): Promise<Block>
  }
}

export const standInsOf = (packs: readonly Pack[]): Promise<StandIn[]> =>
  Promise.all(packs.map(async (service) => ({ service, sandbox: await service.sandbox() })))
