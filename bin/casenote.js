#!/usr/bin/env node
// The operator's command line and the service itself: one process, compiled first when the sources are newer.
import { buildWhatIsStale } from './build.js'

buildWhatIsStale()
const { runCommandLine } = await import('../packages/server/dist/bundle/main/cli.js')
await runCommandLine(process.argv)
