export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly glibc?: string | undefined
  readonly node: string
}
export const platformProblem: (machine: Machine) => string | undefined
export const thisMachine: () => Machine
export const nodeProblem: (node: string) => string | undefined
