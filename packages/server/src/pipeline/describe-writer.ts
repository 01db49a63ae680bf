import type { WriterEngine } from '../engines/writer/writer-engine.js'

/** What is kept on everything that a writer made. */
export const describeWriter = ({ versions: { engine, model, prompt, templates } }: WriterEngine): string =>
  `${engine} ${model}, prompt ${prompt}, templates ${templates}`
