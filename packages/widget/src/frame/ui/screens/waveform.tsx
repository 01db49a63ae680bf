import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useUi } from '../ui-context.js'
import { toShown } from './voice-level.js'

/** Bars of 3 px with a gap of 2: at 20 levels a second, 320 px show some three seconds. */
const barPx = 3
const stepPx = 5

/** What the microphone heard in the last seconds; a flat line at silence. Levels are drawn and forgotten. */
export function Waveform() {
  const { engine, texts } = useUi()
  const words = texts.value.recording
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const levels: number[] = []
    return effect(() => {
      levels.push(toShown(engine.recorder.level.value))
      if (canvas.current !== null) draw(canvas.current, levels)
    })
  }, [engine])
  return (
    <div class="waveform">
      <canvas ref={canvas} role="img" aria-label={words.waveform} />
    </div>
  )
}

function draw(canvas: HTMLCanvasElement, levels: number[]): void {
  const { clientWidth, clientHeight } = canvas
  const scale = window.devicePixelRatio
  const barsMax = Math.max(1, Math.floor(clientWidth / stepPx))
  levels.splice(0, levels.length - barsMax)
  if (canvas.width !== Math.round(clientWidth * scale)) {
    canvas.width = Math.round(clientWidth * scale)
    canvas.height = Math.round(clientHeight * scale)
  }
  const context = canvas.getContext('2d')
  if (context === null) return
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.clearRect(0, 0, clientWidth, clientHeight)
  context.fillStyle = getComputedStyle(canvas).color
  const start = clientWidth - levels.length * stepPx
  for (const [index, level] of levels.entries()) {
    const height = Math.max(2, level * (clientHeight - 4))
    context.fillRect(start + index * stepPx, (clientHeight - height) / 2, barPx, height)
  }
}
