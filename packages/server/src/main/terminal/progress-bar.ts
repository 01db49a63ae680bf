export interface Screen {
  isTTY?: boolean
  columns?: number
  write(text: string): boolean
}

const barWidth = 30

/** Where nothing can be drawn twice, a line each time this much more is done: ten for the whole way, not hundreds. */
const lineEvery = 0.1

/** A bar that moves on a terminal, and lines elsewhere. Everything that is printed meanwhile goes through `line`. */
export class ProgressBar {
  readonly #screen: Screen
  readonly #canMove: boolean
  #drawn: string | null = null
  #told: { stage: string; fraction: number } | null = null

  constructor(screen: Screen, env: NodeJS.ProcessEnv) {
    this.#screen = screen
    this.#canMove = screen.isTTY === true && env.TERM !== 'dumb'
  }

  show(stage: string, fraction: number): void {
    if (this.#canMove) {
      // Some pseudo-terminals say 0.
      const text = formatBar(stage, fraction).slice(0, (this.#screen.columns || 80) - 1)
      if (text !== this.#drawn) this.#screen.write(`\r${text}\u001B[K`)
      this.#drawn = text
    } else if (this.#isNews(stage, fraction)) {
      this.#told = { stage, fraction }
      this.#screen.write(`  ${stage} ${formatPercent(fraction)}\n`)
    }
  }

  line(text: string): void {
    const bar = this.#drawn
    this.#screen.write(bar === null ? `${text}\n` : `\r\u001B[K${text}\n${bar}`)
  }

  /** Leaves the bar where it was; the next one begins below. */
  end(): void {
    if (this.#drawn !== null) this.#screen.write('\n')
    this.#drawn = null
    this.#told = null
  }

  #isNews(stage: string, fraction: number): boolean {
    return this.#told?.stage !== stage || fraction - this.#told.fraction >= lineEvery
  }
}

function formatBar(stage: string, fraction: number): string {
  const full = Math.round(Math.min(Math.max(fraction, 0), 1) * barWidth)
  return `  ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${formatPercent(fraction).padStart(4)}  ${stage}`
}

/** Rounded down: 100 % is for what is done. */
const formatPercent = (fraction: number): string => `${Math.floor(fraction * 100)}%`
