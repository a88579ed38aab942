import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const getSum = defineQuery({
  name: 'everything get-sum',
  summary: 'Returns the sum of two numbers',
  area: 'everything',
  input: z.object({
    a: z.number().describe('First number'),
    b: z.number().describe('Second number'),
  }),
  examples: ['everything get-sum --a 1 --b 1'],
  uses: ['everything.getSum'],
  async run({ a, b }, { read }) {
    const { data } = await read('everything.getSum', { body: { a, b } })
    return answer(openView('Get sum', data))
  },
})
