import { render } from 'preact'
import { App } from './app.js'
import { Console } from './console-state.js'
// oxlint-disable-next-line import/no-unassigned-import -- the bundler makes a file of it
import './console.css'

const desk = new Console()
const root = document.getElementById('page')
if (root !== null) render(<App desk={desk} />, root)
void desk.load()

addEventListener('hashchange', () => {
  // A link that was opened in a tab where the console is already open.
  if (location.hash.startsWith('#link=')) void desk.load()
  else desk.arrive()
})

for (const event of ['pointerdown', 'keydown'] as const) addEventListener(event, () => desk.stir())

// Brought back from the browser's memory, perhaps by somebody else: begin anew.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
