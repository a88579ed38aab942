import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const getStructuredContent = defineQuery({
  name: 'everything get-structured-content',
  summary: 'Returns structured content along with an output schema for client data validation',
  area: 'everything',
  input: z.object({
    location: z.enum(['New York', 'Chicago', 'Los Angeles']).describe('Choose city'),
  }),
  positional: ['location'],
  examples: ['everything get-structured-content "New York"'],
  uses: ['everything.getStructuredContent'],
  async run({ location }, { read }) {
    const { data } = await read('everything.getStructuredContent', { body: { location } })
    return answer(openView('Get structured content', data))
  },
})
