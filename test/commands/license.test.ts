import { describe, expect, test } from 'vitest'
import { blocksOf, diffIn, factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const license = (id: string) => bot.sandbox.state.billing.licenses.find((one) => one.id === id)
const verbsOf = (view: Awaited<ReturnType<typeof bot.look>>) => view.actions?.map(({ verb }) => verb)

describe('license find', () => {
  test('lists a page of licenses with how much of each is used', async () => {
    const view = await bot.look('license find prod_desk')
    expect(blocksOf(view, 'table')[0]?.rows[0]).toEqual(['Desk pool 1', '1', '3', 'active', 'lic_501'])
    expect(view.footer).toBe('Page 1, 10 licenses')
    expect(bot.asked()).toEqual(['GET /billing/api/v1/products/prod_desk/licenses'])
  })

  test('pages on while pages are full, and back', async () => {
    const first = await bot.look('license find prod_desk')
    expect(verbsOf(first)).toEqual(['next', 'file', 'share'])
    const next = await bot.press('next', first.actions?.[0]?.id ?? '', 'fay')
    if (next.kind !== 'answer') throw new Error(next.kind)
    expect(next.view.footer).toBe('Page 2, 2 licenses')
    expect(verbsOf(next.view)).toEqual(['previous', 'file', 'share'])
  })

  test('sends limit and page as they are given', async () => {
    await bot.look('license find prod_desk --limit 5 --page 2')
    expect(bot.asked()).toEqual(['GET /billing/api/v1/products/prod_desk/licenses?limit=5&page=2'])
  })

  test.each([
    ['--limit 0', 'limit'],
    ['--limit 101', 'limit'],
    ['--page 0', 'page'],
  ])('refuses %s by name', async (flag, field) => {
    expect(await bot.refused(`license find prod_desk ${flag}`)).toMatchObject({ code: 'bad_value', field })
    expect(bot.sandbox.wire).toEqual([])
  })

  test('past the end says how to start again', async () => {
    const view = await bot.look('license find prod_desk --page 9')
    expect(notesIn(view)).toContain('license find prod_desk')
    expect(verbsOf(view)).toEqual(['previous', 'share'])
  })

  test('says so if the product is unknown', async () => {
    expect(await bot.refused('license find prod_none')).toMatchObject({ code: 'not_found' })
  })
})

describe('license get and codes', () => {
  test('show the license, its use and its codes', async () => {
    const view = await bot.look('license get prod_desk lic_501')
    expect(view.title).toBe('“Desk pool 1”')
    expect(factsIn(view)).toMatchObject({ Codes: '1 of 3 codes used', Plan: 'plan_desk_team_m' })
    expect(blocksOf(view, 'table')[0]?.rows).toContainEqual(['HG-501-1', 'yes'])
  })

  test('count the codes and those in use', async () => {
    const view = await bot.look('license codes prod_desk lic_501')
    expect(blocksOf(view, 'table')[0]?.rows).toHaveLength(3)
    expect(view.footer).toBe('3 codes, 1 used')
  })

  test('say where to look for an unknown license', async () => {
    expect((await bot.refused('license get prod_mail lic_501')).next).toContain('license find prod_mail')
  })

  test('take the codes from the documented listing where the service does not list them by themselves', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'licenseCodes', kind: 'status', status: 404, times: 9 })
    const view = await bot.look('license codes prod_desk lic_501')
    expect(blocksOf(view, 'table')[0]?.rows).toContainEqual(['HG-501-1', 'yes'])
    expect(view.footer).toBe('3 codes, 1 used, as the list of licenses shows them')
    expect(bot.asked().at(-1)).toBe('GET /billing/api/v1/products/prod_desk/licenses?limit=100&page=1')
    expect(await bot.refused('license codes prod_desk lic_999')).toMatchObject({ code: 'not_found' })
    const change = await bot.ask('license delete-code prod_desk lic_502 HG-502-2')
    expect(factsIn(change.preview)).toMatchObject({ Used: 'no' })
  })

  test('say that a pool is empty', async () => {
    license('lic_501')?.license_codes.splice(0)
    expect((await bot.look('license codes prod_desk lic_501')).title).toBe('No codes in lic_501')
  })
})

describe('license delete', () => {
  test('shows what goes and whether it is in use, and deletes it', async () => {
    const change = await bot.ask('license delete prod_mail lic_513')
    expect(diffIn(change.preview)).toEqual({ Name: ['Mail pool 1', null], Codes: ['3 codes', null] })
    expect(notesIn(change.preview)).toContain('in use')
    expect((await bot.settle(change)).outcome?.message).toBe(
      'The license “Mail pool 1” (lic_513) was deleted.',
    )
    expect(license('lic_513')).toBeUndefined()
    expect(change.lookUps).toEqual(['license get prod_mail lic_513'])
  })

  test('keeps its votes when one more code is used meanwhile', async () => {
    const change = await bot.ask('license delete prod_mail lic_513')
    for (const code of license('lic_513')?.license_codes ?? []) code.is_used = 'yes'
    expect((await bot.settle(change)).state).toBe('applied')
  })
})

describe('license delete-code', () => {
  test('deletes one code and no other', async () => {
    const change = await bot.ask('license delete-code prod_desk lic_502 HG-502-2')
    expect(diffIn(change.preview)).toEqual({ Code: ['HG-502-2', null] })
    expect(factsIn(change.preview)).toMatchObject({ Used: 'no' })
    await bot.settle(change)
    expect(license('lic_502')?.license_codes.map(({ code }) => code)).toEqual([
      'HG-502-1',
      'HG-502-3',
      'HG-502-4',
    ])
  })

  test('warns of a code that somebody uses', async () => {
    expect(notesIn((await bot.ask('license delete-code prod_desk lic_501 HG-501-1')).preview)).toContain(
      'This code is in use.',
    )
  })

  test('warns of a code that the service does not list', async () => {
    const change = await bot.ask('license delete-code prod_desk lic_501 HG-NONE')
    expect(notesIn(change.preview)).toContain('does not list this code')
    expect((await bot.settle(change)).state).toBe('failed')
  })
})
