import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  [field: string]: unknown
}

const kinds = [
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
]

/**
 * What Kubernetes' own schema has against it. The schema lets fields pass that it does not know, which is what a misspelt one
 * is: those are the ones that its validation never looks at.
 */
export function findManifestProblems(manifest: Manifest): string[] {
  const Kind = kinds.find(
    ({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind,
  )
  if (Kind === undefined) return [`there is no schema for ${manifest.apiVersion} ${manifest.kind}`]
  const looked = new Set<string>()
  try {
    // Not on a model made of it, which would be a copy.
    Kind.prototype.validate.call(watch(manifest, '', looked) as never)
  } catch (error) {
    return [(error as Error).message]
  }
  return listPaths(manifest, '').filter((path) => !looked.has(path))
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function watch(value: unknown, path: string, looked: Set<string>): unknown {
  if (!isObject(value)) return value
  return new Proxy(value, {
    get(target, name, receiver) {
      const found: unknown = Reflect.get(target, name, receiver)
      if (typeof name === 'symbol' || !Object.hasOwn(target, name)) return found
      looked.add(`${path}/${name}`)
      return watch(found, `${path}/${name}`, looked)
    },
  })
}

const listPaths = (value: unknown, path: string): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => [
        `${path}/${name}`,
        ...listPaths(inner, `${path}/${name}`),
      ])
    : []
