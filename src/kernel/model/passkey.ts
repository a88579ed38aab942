import { z } from 'zod'

const base64url = z
  .string()
  .max(4_000)
  .regex(/^[\w-]+$/)

/** What a browser answers when somebody has used a passkey, as far as anybody here looks at it. */
export const assertionSchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    authenticatorData: base64url,
    clientDataJSON: base64url,
    signature: base64url,
    userHandle: base64url.exactOptional(),
  }),
  clientExtensionResults: z.looseObject({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).exactOptional(),
})

export type Assertion = z.infer<typeof assertionSchema>

/**
 * That a vote was signed: by which key of which person, over which change. All of it is kept, so that anybody can check it
 * later with the public key alone; `verify.mjs` does.
 */
export const signatureSchema = z.object({
  /** The id of the key. */
  key: z.string(),
  /** The change by which the key was enrolled. */
  enrolled: z.string(),
  person: z.string(),
  /** What was signed: the whole digest that the card showed. */
  digest: z.string(),
  purpose: z.enum(['approve', 'emergency']),
  /** Made for this one signature. */
  nonce: z.string(),
  /** Where the browser was, and for whom the key is. */
  origin: z.string(),
  rpId: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
})

export type Signature = z.infer<typeof signatureSchema>
export type SignaturePurpose = Signature['purpose']

/** What a browser answers when it has made a passkey. */
export const madeKeySchema = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: z
      .string()
      .max(40_000)
      .regex(/^[\w-]+$/),
  }),
  clientExtensionResults: z.looseObject({}).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).exactOptional(),
})

export type MadeKey = z.infer<typeof madeKeySchema>
