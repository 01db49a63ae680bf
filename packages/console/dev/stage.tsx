import * as data from './stage-answers.js'
import { makeFetch, makeStageService } from './stage-service.js'

/** The console without a service: `globalThis.stage` moves the scenery, for the browser tests and for whoever draws screens. */
const service = makeStageService()
const { search } = location
if (search.includes('nobody')) service.me = null
if (search.includes('closed')) Object.assign(service, { me: null, isOpen: false })
if (search.includes('partner')) service.me = data.partner
Object.assign(globalThis, { stage: { service, data }, fetch: makeFetch(service) })
await import('../src/console.js')
