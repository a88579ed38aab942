import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { dmOf, shareFile } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels
const csv = 'email,company\nada@example.com,Northwind Two\n'

describe('a file', async () => {
  const { sam, fake } = await openSlackHarness()

  test('attached to a line in the conversation with the bot goes with it', async () => {
    const file = shareFile(fake.state, 'people.csv', csv)
    await sam.writes('subscriber import', { subtype: 'file_share', files: [file] })
    await until(() => sam.finds('people.csv', dmOf(sam.id)))
    expect(sam.sees(dmOf(sam.id)).at(-1)).toContain('[Confirm]')
  })

  test('put into the form of a command goes with it', async () => {
    await sam.types('/subscriber import', general)
    await until(() => sam.modal())
    const file = shareFile(fake.state, 'more.csv', csv.replace('Two', 'Three'))
    await sam.submits({ File: file.id })
    await until(() => sam.finds('more.csv', general))
  })

  test('that the form needs and did not get is asked for', async () => {
    await sam.types('/subscriber import', general)
    await until(() => sam.modal())
    await sam.submits({})
    expect(Object.values(sam.modalErrors())).toEqual(['This is needed.'])
  })

  test('that Slack does not hand out is said to be missing', async () => {
    fake.state.scopes.delete('files:read')
    const file = shareFile(fake.state, 'hidden.csv', csv)
    await sam.writes('subscriber import', { subtype: 'file_share', files: [file] })
    await until(() => sam.finds('hidden.csv could not be fetched', dmOf(sam.id)))
  })
})
