import { ownServices } from '../../packs/services.ts'
import { features } from '../../src/features/index.ts'
import { useFeatures } from '../../src/kernel/feature.ts'
import { useServices } from '../../src/lib/services/endpoints/tables.ts'

// What starts the bot says which services there are; for a test of a part, this does.
useServices(ownServices)
useFeatures(features)
