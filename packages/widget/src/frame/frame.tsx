import { render } from 'preact'
import { connectPage } from './engine/connect-page.js'
import { makeEngine } from './engine/make-engine.js'
import { openStore } from './engine/open-store.js'
import { Widget } from './ui/widget.js'

const store = await openStore()
const page = await connectPage()
render(<Widget engine={makeEngine(page, store)} />, document.body)

/** `scrollHeight` never shrinks. */
new ResizeObserver(() => page.send({ type: 'height', heightPx: document.body.offsetHeight })).observe(
  document.body,
)
