import { ownServices } from '../../packs/services.ts'
import { useServices } from '../../src/services/endpoints/tables.ts'

// What starts the bot says which services there are; for a test of a part, this does.
useServices(ownServices)
