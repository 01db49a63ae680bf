/**
 * From release 1.29 on ONNX Runtime tells its maker what is run with it, under a number that it leaves in the home folder,
 * unless this stands in the environment of the process before it opens its first session.
 */
export const noTelemetry = { ORT_DISABLE_TELEMETRY: '1' } as const

/** For this process and all of its threads. Called on the main one: what another sets does not reach native code. */
export const forbidTelemetry = (): void => extend(process.env)

const extend = (environment: NodeJS.ProcessEnv): void => void Object.assign(environment, noTelemetry)
