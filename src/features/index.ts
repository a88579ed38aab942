import type { Feature } from '../kernel/feature.ts'
import { access } from './access/index.ts'
import { doubts } from './doubts/index.ts'
import { grants } from './grants/index.ts'
import { hooks } from './hooks/index.ts'
import { jobs } from './jobs/index.ts'
import { onCall } from './on-call/index.ts'
import { proposals } from './proposals/index.ts'
import { questions } from './questions/index.ts'
import { reader } from './reader/index.ts'
import { receipts } from './receipts/index.ts'
import { replay } from './replay/index.ts'
import { reports } from './reports/index.ts'
import { review } from './review/index.ts'
import { schedules } from './schedules/index.ts'
import { shadow } from './shadow/index.ts'
import { stream } from './stream/index.ts'
import { traces } from './traces/index.ts'
import { webhooks } from './webhooks/index.ts'
import { witnesses } from './witnesses/index.ts'

/** All features, in the order in which they follow a step and say something. */
export const features: readonly Feature[] = [
  witnesses,
  stream,
  webhooks,
  schedules,
  jobs,
  access,
  questions,
  grants,
  receipts,
  reports,
  review,
  replay,
  proposals,
  doubts,
  shadow,
  traces,
  onCall,
  hooks,
  reader,
]
