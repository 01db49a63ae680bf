import type { ComponentChildren } from 'preact'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { useOtherChart } from './other-chart.js'

interface ChartNoticeProps {
  clientId: string
  /** What is shown here instead, in a sentence. */
  children: ComponentChildren
  actions?: ComponentChildren
}

/** The page shows another client than this screen: said as long as it is so, and followed when the clinician says so. */
export function ChartNotice({ clientId, children, actions }: ChartNoticeProps) {
  const { engine, texts } = useUi()
  const { chart } = texts.value
  const other = useOtherChart(clientId)
  if (other === null) return null
  return (
    <Notice
      kind="warning"
      role="alert"
      title={fill(chart.shows, { name: other.name })}
      actions={
        <>
          <Button onClick={() => engine.openChart()}>{fill(chart.open, { name: other.name })}</Button>
          {actions}
        </>
      }
    >
      {children}
    </Notice>
  )
}
