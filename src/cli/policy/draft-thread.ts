import { messengers } from '../../../adapters/index.ts'
import { createCommands } from '../../../commands/index.ts'
import { loadFile } from '../../config.ts'
import { serveApart } from '../../core/load/apart-thread.ts'
import { type CompareInput, compareDraft } from '../../pipeline/explaining/replay/draft.ts'

const registry = createCommands()
const load = (text: string) => loadFile(text, { file: 'draft', commands: registry.all, messengers })

await serveApart((input: CompareInput, ask) => compareDraft(input, { registry, load, ask }))
