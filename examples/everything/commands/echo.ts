import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const callEcho = defineQuery({
  name: 'everything echo',
  summary: 'Echoes back the input string',
  area: 'everything',
  input: z.object({
    message: z.string().describe('Message to echo'),
  }),
  positional: ['message'],
  examples: ['everything echo example'],
  uses: ['everything.callEcho'],
  async run({ message }, { read }) {
    const { data } = await read('everything.callEcho', { body: { message } })
    return answer(openView('Echo', data))
  },
})
