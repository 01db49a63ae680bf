import { render } from 'preact'
import { connectPage } from './engine/connect-page.js'
import { makeEngine } from './engine/make-engine.js'
import { openStore } from './engine/open-store.js'
import { engineTexts } from './texts/texts.js'
import { Widget } from './ui/widget.js'

const opening = openStore((which) =>
  render(
    <main class="widget">
      <p class="screen" role="alert">
        {engineTexts[which]}
      </p>
    </main>,
    document.body,
  ),
)
// Meanwhile: the page is told that there is a frame, however long another tab is in the way.
const page = await connectPage()
render(<Widget engine={makeEngine(page, await opening)} />, document.body)

/** `scrollHeight` never shrinks. */
new ResizeObserver(() => page.send({ type: 'height', heightPx: document.body.offsetHeight })).observe(
  document.body,
)
