import { useSignalEffect } from '@preact/signals'
import type { Engine } from '../engine/engine.js'
import { readTheme } from '../engine/read-theme.js'

/** Colours of the container are those of everything in it that has none of its own. */
const tokens: Readonly<Record<string, readonly string[]>> = {
  '--theme-container-background-color': ['--ground', '--surface', '--sunken'],
  '--theme-container-color': ['--text', '--muted'],
  '--theme-container-border-color': ['--line'],
  '--theme-container-border-radius': ['--radius'],
}

/** On the root: the ground behind the screens is the page's to choose, too. Only the compact view is themed. */
export function useTheme({ settings }: Engine): void {
  useSignalEffect(() => {
    const { isMinifiedView, isMiniWidgetV2, minifiedViewSettings } = settings.value
    const isCompact = isMinifiedView === true || isMiniWidgetV2 === true
    const { parts, properties } = readTheme(
      isCompact ? (minifiedViewSettings ?? {}) : {},
      (property, value) => CSS.supports(property, value),
    )
    const root = document.documentElement
    const given = Object.keys(properties).map((name) => name.slice('--theme-'.length))
    root.dataset.themed = [...parts, ...given].join(' ')
    const set = Object.entries(properties).flatMap(([name, value]) =>
      [name, ...(tokens[name] ?? [])].map((one) => [one, value] as const),
    )
    for (const [name, value] of set) root.style.setProperty(name, value)
    return () => {
      for (const [name] of set) root.style.removeProperty(name)
    }
  })
}
