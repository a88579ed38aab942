import { describe, expect, it } from 'vitest'
import type { DutySettings } from '../../../src/features/on-call/ask.ts'
import { checkSchedules } from '../../../src/features/on-call/doctor.ts'
import { createDuty } from '../../../src/features/on-call/duty.ts'
import { onCall } from '../../../src/features/on-call/index.ts'
import type { MembersOutside } from '../../../src/kernel/policy/outside-groups.ts'
import type { Policy } from '../../../src/kernel/policy/policy.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { load, policyOf } from '../../policy/example.ts'
import { fullPage, patient, type StandIn, startStandIn } from './stand-ins.ts'

const fileWith = (groups: string) => `version: 1
people:
  - { id: sam, name: Sam, slack: U1, roles: [support] }
  - { id: fay, name: Fay, slack: U2, email: Fay@Example.com, roles: [support] }
  - { id: finn, name: Finn, slack: U3, email: finn@example.com }
groups: { ${groups} }
roles:
  support: { run: [refund] }
  oncall: { approve: [refund] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [oncall] } }
`
const opsgenieId = '4513b7ea-3b91-438f-b7e4-e3e54af9147c'
const groupsOf = { pagerduty: 'PI7DH85', opsgenie: opsgenieId, rootly: 'b2f1c9d0' } as const
type Vendor = keyof typeof groupsOf
const vendors = Object.keys(groupsOf) as Vendor[]
const policyFor = (vendor: Vendor, schedule: string = groupsOf[vendor]) =>
  policyOf(fileWith(`${vendor}: { "${schedule}": [oncall] }`))

const settingsOf = (env: Record<string, string>): DutySettings => {
  const problems: string[] = []
  const settings = onCall.environment?.read(env, problems) as DutySettings
  expect(problems).toEqual([])
  return patient(settings)
}

/** A clock of its own, and what was said of schedules that did not answer. */
const openDuty = (env: Record<string, string>, waitMs = 600_000) => {
  const told: string[] = []
  const time = { now: 1_000_000 }
  const duty = createDuty(settingsOf(env), {
    ticks: ticksOf(() => time.now),
    waitMs,
    log: { warn: (fields: object) => told.push(String((fields as { why?: string }).why)) } as never,
  })
  return { duty, told, time }
}

const namesOf = (duty: MembersOutside, policy: Policy): string[] =>
  duty.within(policy).people.flatMap(({ name, roles }) => (roles.includes('oncall') ? [name] : []))

const onDuty = (standIn: StandIn, vendor: Vendor, ...emails: string[]): void => {
  standIn.rota.set(groupsOf[vendor], emails)
}

describe.each(vendors)('who is on duty in %s', (vendor) => {
  it('has the role, whatever the case of their address, and nobody else has', async () => {
    const standIn = await startStandIn(vendor)
    const policy = policyFor(vendor)
    const { duty, told } = openDuty(standIn.env)
    onDuty(standIn, vendor, 'FAY@example.com', 'stranger@example.com')
    expect(duty.within(policy)).toBe(policy)
    await duty.refresh(policy)
    expect([told, namesOf(duty, policy)]).toEqual([[], ['Fay']])
    const fay = duty.within(policy).people.find(({ id }) => id === 'fay')
    expect(fay).toMatchObject({ roles: ['support', 'oncall'], within: [`${vendor}:${groupsOf[vendor]}`] })
    expect(duty.within(policy)).toBe(duty.within(policy))
  })

  it('has it no longer when the shift has changed, nor while nobody is on duty', async () => {
    const standIn = await startStandIn(vendor)
    const policy = policyFor(vendor)
    const { duty, time } = openDuty(standIn.env)
    onDuty(standIn, vendor, 'fay@example.com')
    await duty.refresh(policy)
    onDuty(standIn, vendor, 'finn@example.com')
    time.now += 59_999
    expect([duty.refresh(policy), namesOf(duty, policy), standIn.asked.length]).toEqual([
      undefined,
      ['Fay'],
      1,
    ])
    time.now += 1
    await duty.refresh(policy)
    expect(namesOf(duty, policy)).toEqual(['Finn'])
    onDuty(standIn, vendor)
    time.now += 60_000
    await duty.refresh(policy)
    expect(duty.within(policy)).toBe(policy)
  })

  it.each([
    ['nothing but a page', { body: '<html>Sign in</html>' }, /something else/],
    ['another shape', { body: '{"data":{"oncalls":[{"user":7}]},"oncalls":{}}' }, /something else/],
    ['null', { body: 'null' }, /something else/],
    ['deep nonsense', { body: '['.repeat(200_000) }, /something else/],
    ['too much', { body: `"${'x'.repeat(2_000_001)}"` }, /too large/],
    ['an error', { status: 500, body: '{}' }, /status 500/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, /status 302/],
    ['that it does not know the token', { status: 401, body: '{}' }, /does not take the token/],
    ['that there is no such schedule', { status: 404, body: '{}' }, /no such schedule/],
  ])('keeps the role for ten minutes where the answer is %s', async (_, fault, why) => {
    const standIn = await startStandIn(vendor)
    const policy = policyFor(vendor)
    const { duty, told, time } = openDuty(standIn.env)
    onDuty(standIn, vendor, 'fay@example.com')
    await duty.refresh(policy)
    standIn.fault = fault
    time.now += 60_000
    await duty.refresh(policy)
    expect(told).toEqual([expect.stringMatching(why)])
    time.now += 539_999
    await duty.refresh(policy)
    expect(namesOf(duty, policy)).toEqual(['Fay'])
    time.now += 1
    expect(namesOf(duty, policy)).toEqual([])
    standIn.fault = undefined
    time.now += 20_000
    await duty.refresh(policy)
    expect(namesOf(duty, policy)).toEqual(['Fay'])
    expect(JSON.stringify(told)).not.toContain(Object.values(standIn.env)[0])
  })

  it('is told by the doctor', async () => {
    const standIn = await startStandIn(vendor)
    const policy = policyFor(vendor)
    const settings = settingsOf(standIn.env)
    const look = async () => {
      const [result] = await checkSchedules({ policy }, settings)
      return [result?.ok, result?.words]
    }
    onDuty(standIn, vendor)
    expect(await look()).toEqual([true, 'nobody is on duty, so it gives nobody the role oncall now.'])
    onDuty(standIn, vendor, 'fay@example.com')
    expect(await look()).toEqual([true, 'Fay on duty, with the role oncall.'])
    onDuty(standIn, vendor, 'new@example.com')
    expect(await look()).toEqual([
      false,
      'on duty is somebody who gets no role by it. No person of bellhop.yml has the address new@example.com: add it as email.',
    ])
    standIn.fault = { status: 403, body: '' }
    expect(await look()).toEqual([
      false,
      expect.stringMatching(/does not take the token \(status 403\): check \w+_/),
    ])
    await standIn.leave()
    expect(await look()).toEqual([false, expect.stringMatching(/cannot be reached \(E/)])
    const token = Object.values(standIn.env)[0] ?? ''
    expect(JSON.stringify(await checkSchedules({ policy }, {}))).not.toContain(token)
  })
})

it('a schedule that limits us is asked again when it says', async () => {
  const standIn = await startStandIn('rootly')
  const policy = policyFor('rootly')
  const { duty, told, time } = openDuty(standIn.env)
  standIn.fault = { status: 429, headers: { 'retry-after': '45' }, body: '{"error":"Rate limit exceeded."}' }
  await duty.refresh(policy)
  standIn.fault = undefined
  onDuty(standIn, 'rootly', 'fay@example.com')
  time.now += 44_999
  expect([duty.refresh(policy), told]).toEqual([undefined, ['it limits how often it is asked']])
  time.now += 1
  await duty.refresh(policy)
  expect([namesOf(duty, policy), standIn.asked.length]).toEqual([['Fay'], 2])
})

it('nobody waits long for a schedule that is slow, and it is asked once meanwhile', async () => {
  const standIn = await startStandIn('pagerduty')
  const policy = policyFor('pagerduty')
  const { duty } = openDuty(standIn.env, 50)
  standIn.fault = 'hang'
  const all = [duty.refresh(policy), duty.refresh(policy)]
  await Promise.all(all)
  await duty.refresh(policy)
  await expect.poll(() => standIn.asked.length).toBe(1)
  expect(duty.within(policy)).toBe(policy)
  await standIn.leave()
})

it('a list of several pages is read whole, and one without an end is none', async () => {
  const standIn = await startStandIn('pagerduty')
  const policy = policyFor('pagerduty')
  const { duty, told, time } = openDuty(standIn.env)
  const many = Array.from({ length: fullPage + 1 }, (_, at) => `p${at}@example.com`)
  onDuty(standIn, 'pagerduty', ...many, 'fay@example.com')
  await duty.refresh(policy)
  expect([standIn.asked.length, namesOf(duty, policy)]).toEqual([2, ['Fay']])
  standIn.fault = { body: '{"oncalls":[],"more":true}' }
  time.now += 60_000
  await duty.refresh(policy)
  expect(told).toEqual(['the list of those on duty has no end'])
})

it('schedules are asked one by one, and what one does not say takes nothing from the others', async () => {
  const [one, other] = [await startStandIn('pagerduty'), await startStandIn('opsgenie')]
  const policy = policyOf(
    fileWith('pagerduty: { PI7DH85: [oncall], PNONE: [oncall] }, opsgenie: { "Night shift": [oncall] }'),
  )
  const { duty } = openDuty({ ...one.env, ...other.env })
  onDuty(one, 'pagerduty', 'fay@example.com')
  other.rota.set('Night shift', ['finn@example.com'])
  await duty.refresh(policy)
  expect([one.asked.length, other.asked]).toEqual([
    2,
    ['/v2/schedules/Night%20shift/on-calls?flat=true&scheduleIdentifierType=name'],
  ])
  expect(namesOf(duty, policy)).toEqual(['Fay', 'Finn'])
})

describe('bellhop.yml', () => {
  const problemsIn = (text: string): string[] => {
    const loaded = load(text)
    return loaded.ok ? [] : loaded.problems.map(({ message }) => message)
  }

  it.each([
    ['groups: { pagerduty: { "a b": [oncall] } }', /schedule/],
    ['groups: { opsgenie: { "a/b": [oncall] } }', /schedule/],
    ['groups: { rootly: { R1: [nobody] } }', /unknown role "nobody"/],
    ['groups: { victorops: { R1: [oncall] } }', /victorops.*pagerduty, opsgenie, rootly/],
  ])('is refused with %s', (line, why) => {
    expect(problemsIn(fileWith('').replace('groups: {  }', line)).join('\n')).toMatch(why)
  })

  it('gives no address to two people, and nothing but an address', () => {
    const twice = fileWith('').replace('finn@example.com', 'FAY@example.com')
    expect(problemsIn(twice)).toEqual([
      'the address "fay@example.com" belongs to both fay and finn. Expected each address on one person.',
    ])
    expect(problemsIn(fileWith('').replace('finn@example.com', 'finn')).join()).toMatch(
      /email address such as/,
    )
  })

  it('is doubted where on duty could be nobody of it', () => {
    const loaded = load(fileWith('pagerduty: { PX: [oncall] }').replaceAll(/ email: [^,}]+,?/g, ''))
    expect(loaded.ok && loaded.warnings().join('\n')).toMatch(/nobody under people has an email/)
  })
})

it('an address or a token that cannot be one is a problem of the start', () => {
  const problems: string[] = []
  onCall.environment?.read(
    { PAGERDUTY_TOKEN: 'two words', OPSGENIE_API_URL: 'api.eu.opsgenie.com', ROOTLY_TOKEN: 'x' },
    problems,
  )
  expect(problems).toEqual([
    'PAGERDUTY_TOKEN holds a space, a line break or a letter that no token has: copy it again.',
    'OPSGENIE_API_URL is not a web address: it must start with http:// or https://.',
  ])
})
