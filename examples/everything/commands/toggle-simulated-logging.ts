import { defineServiceChange, ok, openView, z } from 'bellhop/pack'

export const toggleSimulatedLogging = defineServiceChange({
  name: 'everything toggle-simulated-logging',
  summary: 'Toggles simulated, random-leveled logging on or off',
  area: 'everything',
  input: z.object({}),
  examples: ['everything toggle-simulated-logging'],
  uses: ['everything.toggleSimulatedLogging'],
  plan: z.object({}),
  async prepare() {
    return ok({})
  },
  preview: () => ({ title: 'Toggle simulated logging', tone: 'plain', blocks: [] }),
  row: 'everything.toggleSimulatedLogging',
  request: () => ({}),
  done: (_, { data }) => ({ message: 'Toggle simulated logging: done.', view: openView('Toggle simulated logging', data) }),
})
