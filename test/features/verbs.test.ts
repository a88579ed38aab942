import { expect, test } from 'vitest'
import { features } from '../../src/features/index.ts'
import { type FeatureVerb, isVerb, useVerbs, verbNames, verbs } from '../../src/lib/view/button-labels.ts'
import { openTestApp } from '../harness/app.ts'

const { registry } = await openTestApp({ tasks: false })
const row: FeatureVerb = { label: 'Send', does: 'request', runs: { command: 'refund', param: 'paymentId' } }

test('a button with a command of its own names one that there is, and a parameter of it', () => {
  const asking = verbNames().flatMap((verb) => verbs[verb].runs ?? [])
  expect(asking.length).toBeGreaterThan(1)
  for (const { command, param } of asking) {
    expect(
      registry.get(command)?.params.map(({ name }) => name),
      command,
    ).toContain(param)
  }
})

test('every button that a feature brings is one', () => {
  for (const name of features.flatMap((one) => Object.keys(one.verbs ?? {})))
    expect(isVerb(name), name).toBe(true)
})

test('no feature takes the name of another button', () => {
  expect(() => useVerbs([{ approve: row }])).toThrow('two buttons are called approve')
  expect(() => useVerbs([{ send: row }, { send: row }])).toThrow('two buttons are called send')
  expect(isVerb('send')).toBe(false)
})
