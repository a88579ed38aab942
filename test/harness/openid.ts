import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { freePort } from './free-port.ts'
import { listen } from './listen.ts'
import { whenDone } from './when-done.ts'

export const client = { clientId: 'bellhop', clientSecret: randomBytes(24).toString('base64url') }

/**
 * An OpenID provider at which everybody is whoever they say; it has verified the address of all but those whose name begins with
 * "new". It signs people in for a console at this address.
 */
export const openProvider = async (consoleBase: string): Promise<{ issuer: string }> => {
  const issuer = `http://127.0.0.1:${await freePort()}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const path = `${consoleBase}/console/sign-in/oidc`
  let handle: RequestListener = () => undefined
  const listening = await listen(
    createServer((request, response) => handle(request, response)),
    Number(new URL(issuer).port),
  )
  whenDone(listening.close)
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${path}/callback`],
        backchannel_logout_uri: `${path}/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    features: { backchannelLogout: { enabled: true } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 3_600,
      IdToken: 600,
      Interaction: 600,
      Session: 3_600,
    },
    // Its own way out needs another version of undici.
    fetch: (url: string, { dispatcher: _, ...options }: Record<string, unknown>) => fetch(url, options),
    findAccount: async (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@Example.com`, email_verified: !id.startsWith('new') }),
    }),
  })
  handle = provider.callback()
  return { issuer }
}
