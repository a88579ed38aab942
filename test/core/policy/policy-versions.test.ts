import { expect, it } from 'vitest'
import { createApp } from '../../../src/cli/start/app.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { textDigestOf } from '../../../src/lib/codecs/canonical-json.ts'
import { fromOf } from '../../harness/app.ts'
import { eachEngine } from '../../harness/database.ts'
import { sourceOf } from '../../harness/policy-source.ts'
import { until } from '../../harness/until.ts'
import { changeOf, openHarness } from '../../pipeline/harness.ts'
import { policy } from '../../pipeline/policy.ts'

const stricter = policy.replace('upTo: 50 }, require: confirm', 'upTo: 20 }, require: confirm')
const broken = policy.replace('require: confirm', 'require: maybe')

eachEngine('versions of the policy', (engine) => {
  it('each version in force is on record with its digest and its text, in order', async () => {
    let file = policy
    const { app, store, say } = await openHarness({ engine, reads: () => file })
    file = stricter
    expect(await app.reload()).toMatchObject({ ok: true })
    // The same again is no new version.
    await app.reload()
    file = policy
    await app.reload()
    const versions = await store.policies.list({ skip: 0, limit: 10 })
    expect(versions.map(({ n, digest }) => [n, digest])).toEqual([
      [3, textDigestOf(policy)],
      [2, textDigestOf(stricter)],
      [1, textDigestOf(policy)],
    ])
    expect(await store.policies.text(textDigestOf(stricter))).toBe(stricter)
    const entries = await store.audit.find({ command: 'policy reload', limit: 10 })
    expect(entries.map(({ kind, doc }) => [kind, doc.version, doc.digest, doc.text === file])).toEqual([
      ['policy in force', 3, textDigestOf(policy), true],
      ['policy in force', 2, textDigestOf(stricter), false],
      ['policy in force', 1, textDigestOf(policy), true],
    ])
    expect((await say('bellhop whoami')).kind).toBe('answer')
  })

  it('each request names the version that judged it, on the change and in the log', async () => {
    let file = policy
    const { app, store, ask, click, payment } = await openHarness({ engine, reads: () => file })
    const before = await ask(`refund ${payment()} 30`)
    expect(before).toMatchObject({ rule: 'small refund', policy: textDigestOf(policy) })
    file = stricter
    await app.reload()
    const after = await ask(`refund ${payment()} 30`)
    expect(after).toMatchObject({ rule: 'refund', policy: textDigestOf(stricter) })
    expect(after.judged).toMatchObject({
      policy: textDigestOf(stricter),
      rule: 'refund',
      clauses: after.clauses,
    })
    await click('approve', after, 'fay')
    const log = await store.audit.find({ command: 'refund', limit: 20 })
    expect(new Set(log.map(({ doc }) => doc.policy))).toEqual(
      new Set([textDigestOf(policy), textDigestOf(stricter)]),
    )
    expect(log.filter(({ changeId }) => changeId === after.id).map(({ doc }) => doc.policy)).toEqual(
      Array.from({ length: 4 }, () => textDigestOf(stricter)),
    )
  })

  it('a broken file is refused with its lines, and the old one stays', async () => {
    const { app, store, ask, payment } = await openHarness({ engine, reads: () => broken })
    const line = broken.split('\n').findIndex((one) => one.includes('maybe')) + 1
    expect(await app.reload()).toEqual({
      ok: false,
      problems: [expect.stringContaining(`bellhop.yml:${line}:`)],
    })
    expect(await store.policies.list({ skip: 0, limit: 10 })).toHaveLength(1)
    expect(await ask(`refund ${payment()} 30`)).toMatchObject({ policy: textDigestOf(policy) })
  })

  it('four replicas that reload under load judge each request by one version, which is on record before', async () => {
    let file = policy
    const { app, store, registry, payment } = await openHarness({ engine, reads: () => file })
    const { services, log } = app.core
    const others = [1, 2, 3].map(() =>
      createApp({
        ...{ registry, services, store, log, timings: { idleMs: 20 } },
        policy: app.core.policy,
        policySource: sourceOf(policy, () => file, registry),
      }),
    )
    await Promise.all(others.map((other) => other.start()))
    const replicas = [app, ...others]
    /** On a busy machine the database can be slower than anybody waits: they are told that nothing was done, and ask again. */
    const askOf = async (replica: typeof app, line: string, delivery: string): Promise<Reply> => {
      const reply = await replica.handle({
        delivery,
        from: fromOf('sam'),
        place: { channel: null, handle: null, direct: true },
        forms: false,
        intent: { kind: 'line', line },
      })
      return reply.kind === 'refused' && reply.refusal.code === 'database_down'
        ? askOf(replica, line, `${delivery} again`)
        : reply
    }
    const replies: Promise<Reply>[] = []
    const reloads: Promise<unknown>[] = []
    for (const [wave, text] of [stricter, policy, stricter, policy, stricter].entries()) {
      for (const [at, replica] of [...replicas, ...replicas, ...replicas].entries())
        replies.push(askOf(replica, `refund ${payment()} 30`, `load-${wave}-${at}`))
      file = text
      reloads.push((replicas[wave % 4] as typeof app).reload())
    }
    await Promise.all(reloads)
    const changes = (await Promise.all(replies)).map(changeOf)
    const versions = await store.policies.list({ skip: 0, limit: 20 })
    for (const change of changes) {
      const isFirst = change.policy === textDigestOf(policy)
      expect(change.rule).toBe(isFirst ? 'small refund' : 'refund')
      expect(change.judged).toMatchObject({
        policy: change.policy,
        rule: change.rule,
        clauses: change.clauses,
      })
      const known = versions.findLast(({ digest }) => digest === change.policy)
      expect(known?.at).toBeLessThanOrEqual(change.createdAt)
    }
    const asked = await store.audit.find({ command: 'refund', limit: 200 })
    expect(new Map(asked.map(({ changeId, doc }) => [changeId, doc.policy]))).toEqual(
      new Map(changes.map(({ id, policy: digest }) => [id, digest])),
    )
    const last = versions[0]?.digest
    for (const replica of replicas) await until(() => expect(replica.core.policy.digest).toBe(last))
    await Promise.all(others.map((other) => other.stop(0)))
  })

  it('the other replicas follow, and a process that only answers a line changes nothing for them', async () => {
    let file = policy
    const { app, store, registry } = await openHarness({ engine, reads: () => file })
    const { policy: first, services, log } = app.core
    const timings = { idleMs: 20 }
    const other = createApp({
      ...{ registry, services, store, log, timings },
      policy: first,
      policySource: sourceOf(policy, () => policy, registry),
    })
    await other.start()
    file = stricter
    await app.reload()
    await until(() => expect(other.core.policy.digest).toBe(textDigestOf(stricter)))
    const single = createApp({
      ...{ registry, services, store, log, tasks: false },
      policy: first,
      policySource: sourceOf(policy, () => policy, registry),
    })
    await single.start()
    expect((await store.policies.newest())?.digest).toBe(textDigestOf(stricter))
    await single.stop(0)
    await other.stop(0)
  })
})
