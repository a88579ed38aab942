import { messengers } from '../../../adapters/index.ts'
import { serveThread } from '../../kernel/load/in-thread.ts'
import { loadFile } from '../start/config.ts'
import { loadCommands } from '../start/load-commands.ts'

const registry = await loadCommands(messengers)
const load = (text: string) => loadFile(text, { file: 'draft', commands: registry.all, messengers })

await serveThread({ registry, load })
