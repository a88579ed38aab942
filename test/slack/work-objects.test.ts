import { describe, expect, test } from 'vitest'
import { optionalScopes, scopes } from '../../adapters/slack/manifest.ts'
import { until } from '../harness/until.ts'
import { channels, openSlackHarness } from './harness.ts'

const { general, approvals } = channels
const publicUrl = 'https://bellhop.test'

describe('a link to a change', async () => {
  const { sam, fay, wes, fake, store, app } = await openSlackHarness({
    publicUrl,
    scopes: Object.keys({ ...scopes, ...optionalScopes }),
  })
  await sam.types('/refund pay_1001 100 --customer cus_1001 --reason "Charged twice"', general)
  await until(() => fay.finds('pay_1001', approvals))
  const [change] = await store.changes.list({ limit: 1 })
  const url = `${publicUrl}/console?change=${change?.id}`
  const settled = async () => {
    await until(async () => expect((await store.tasks.pending()).intake ?? 0).toBe(0))
    await app.drain()
  }
  const unfurled = async (who: typeof sam, link = url) => {
    const message = await who.pastes(link, general)
    await settled()
    return message.entities
  }
  const entity = (await unfurled(sam))?.[0] ?? {}

  test('unfurls to what it is and how it stands, and says nothing of whom it is about', () => {
    expect(entity).toMatchObject({
      app_unfurl_url: url,
      external_ref: { id: change?.id },
      entity_payload: {
        attributes: { title: { text: `Refund, change ${change?.id}` } },
        fields: { status: { value: 'Pending' } },
      },
    })
    const said = JSON.stringify(entity)
    for (const secret of ['100', 'pay_1001', 'cus_1001', 'Ada', 'Charged', 'Sam'])
      expect(said).not.toContain(secret)
  })

  test('shows to whoever opens it what they may see', async () => {
    const shown = await fay.opensEntity(entity)
    expect(shown).toMatchObject({ external_ref: { id: change?.id } })
    const said = JSON.stringify(shown)
    expect(said).toContain(change?.preview.title)
    expect(said).toContain('Charged twice')
    expect(said).toMatch(/cus_1001|Ada/)
  })

  test('shows nothing to those who may not see it, nor of what is not there', async () => {
    expect(await wes.opensEntity(entity)).toEqual({ status: 'not_found' })
    const gone = { ...entity, url: `${publicUrl}/console?change=zzzz`, external_ref: { id: 'zzzz' } }
    expect(await fay.opensEntity(gone)).toEqual({ status: 'not_found' })
    const other = { ...entity, external_ref: { id: 'zzzz' } }
    expect(await fay.opensEntity(other)).toEqual({ status: 'not_found' })
  })

  test('stays a link for somebody who may not see it, and where it leads elsewhere', async () => {
    expect(await unfurled(wes)).toBeUndefined()
    expect(await unfurled(sam, `https://elsewhere.test/console?change=${change?.id}`)).toBeUndefined()
    expect(await unfurled(sam, `${publicUrl}/console?line=approval+get+${change?.id}`)).toBeUndefined()
    expect(await unfurled(sam, `${publicUrl}/console?change=..%2F`)).toBeUndefined()
    expect(fake.calls('chat.unfurl')).toHaveLength(1)
  })

  test('is a stranger’s, whatever their id is, for those of another workspace', async () => {
    const guest = fake.person('U0FINN', { name: 'finn', team: 'T0OTHER' })
    expect(await unfurled(guest)).toBeUndefined()
    expect(await guest.opensEntity(entity)).toEqual({ status: 'not_found' })
  })
})
