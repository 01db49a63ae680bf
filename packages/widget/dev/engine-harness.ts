import { connectPage } from '../src/frame/engine/connect-page.js'
import { makeEngine } from '../src/frame/engine/make-engine.js'
import { openStore } from '../src/frame/engine/open-store.js'

/** The frame without screens, for tests that drive the engine itself: everything else is as it is shipped. */
const store = await openStore()
Object.assign(globalThis, { engine: makeEngine(await connectPage(), store) })
