import { render } from 'preact'
import { EngineError } from '../src/frame/engine/engine.js'
import { Widget } from '../src/frame/ui/widget.js'
import { danger } from './stage-danger.js'
import * as data from './stage-data.js'
import { makeStageDrafts } from './stage-drafts.js'
import { makeStage, toRunning } from './stage-engine.js'

/** The screens on a stage: `globalThis.stage` moves the scenery, for the browser tests and for whoever draws screens. */
const stage = makeStage()
Object.assign(globalThis, {
  stage: { ...stage, data: { ...data, danger }, toRunning, makeStageDrafts, EngineError },
})
render(<Widget engine={stage.engine} />, document.body)
