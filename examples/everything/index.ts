import { definePack } from 'bellhop/pack'
import { callEcho } from './commands/echo.ts'
import { getStructuredContent } from './commands/get-structured-content.ts'
import { getSum } from './commands/get-sum.ts'
import { gzipFileAsResource } from './commands/gzip-file-as-resource.ts'
import { toggleSimulatedLogging } from './commands/toggle-simulated-logging.ts'
import { everything as service } from './endpoints.ts'

export const pack = definePack({
  surface: 1,
  ...service,
  commands: [callEcho, getStructuredContent, getSum, gzipFileAsResource, toggleSimulatedLogging],
  words: {
    concepts: {
      'everything-echo': 'everything echo|echo in everything|echo with everything',
      'everything-get-structured-content': 'everything get structured content|get structured content in everything|get structured content with everything',
      'everything-get-sum': 'everything get sum|get sum in everything|get sum with everything',
      'everything-gzip-file-as-resource': 'everything gzip file as resource|gzip file as resource in everything|gzip file as resource with everything',
      'everything-toggle-simulated-logging': 'everything toggle simulated logging|toggle simulated logging in everything|toggle simulated logging with everything',
    },
    commands: {
      'everything echo': { say: ['everything-echo'] },
      'everything get-structured-content': { say: ['everything-get-structured-content'] },
      'everything get-sum': { say: ['everything-get-sum'] },
      'everything gzip-file-as-resource': { say: ['everything-gzip-file-as-resource'] },
      'everything toggle-simulated-logging': { say: ['everything-toggle-simulated-logging'] },
    },
  },
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
})
