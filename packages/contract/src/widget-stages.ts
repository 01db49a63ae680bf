/** Where a session is, in the order of the stages that a clinician sees. */
export const WIDGET_STAGES = [
  'recording',
  'uploading',
  'preparing',
  'transcribing',
  'writing',
  'done',
  'failed',
] as const
export type WidgetStage = (typeof WIDGET_STAGES)[number]
