import { connectPage } from './engine/connect-page.js'
import { makeEngine } from './engine/make-engine.js'
import { openStore } from './engine/open-store.js'

const store = await openStore()
makeEngine(await connectPage(), store)
