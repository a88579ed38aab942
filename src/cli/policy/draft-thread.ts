import { messengers } from '../../../adapters/index.ts'
import { loadCommands } from '../../../commands/load.ts'
import { loadFile } from '../../config.ts'
import { serveApart } from '../../core/load/apart-thread.ts'
import { type CompareInput, compareDraft } from '../../pipeline/explaining/replay/draft.ts'

const registry = await loadCommands(messengers)
const load = (text: string) => loadFile(text, { file: 'draft', commands: registry.all, messengers })

await serveApart((input: CompareInput, ask) => compareDraft(input, { registry, load, ask }))
