import { isColourWanted, makePaint, type Paint } from '../terminal/paint.js'
import { ProgressBar, type Screen } from '../terminal/progress-bar.js'

/** What the newcomer sees: numbered steps, lines, and one bar at a time. */
export class TourScreen {
  readonly paint: Paint
  readonly #bar: ProgressBar
  #steps = 0

  constructor(screen: Screen, env: NodeJS.ProcessEnv) {
    this.paint = makePaint(isColourWanted(screen.isTTY === true, env))
    this.#bar = new ProgressBar(screen, env)
  }

  step(title: string, call: string): void {
    this.#bar.end()
    this.#steps += 1
    this.#bar.line(`\n${this.paint('bold', `${this.#steps}. ${title}`)}  ${this.paint('dim', call)}`)
  }

  line(text: string): void {
    this.#bar.line(text === '' ? '' : `  ${text}`)
  }

  progress(stage: string, fraction: number): void {
    this.#bar.show(stage, fraction)
  }

  endProgress(): void {
    this.#bar.end()
  }
}
