import { packSchema } from '../../kernel/policy/file/schema.ts'
import { readSource } from '../../kernel/policy/file/source.ts'

const kinds = ['pack', 'feature'] as const

/** Code from outside as a policy names it: a folder or a package, with the digest of its code where that stands beside it. */
export type NamedCode = { kind: (typeof kinds)[number]; name: string; pin?: string | undefined }

/** The packs and features that a file names, whatever else is wrong with it. */
export const codeNamedIn = (text: string): NamedCode[] => {
  const file = Object(readSource(text).value) as Record<string, unknown>
  return kinds.flatMap((kind) => {
    const named = file[`${kind}s`]
    if (!Array.isArray(named)) return []
    return named.flatMap((one) => {
      const read = packSchema.safeParse(one).data
      return read === undefined ? [] : { kind, ...read }
    })
  })
}
