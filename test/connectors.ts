import type { ConnectorDefinition, Discovered } from '../connector/src/define.ts'

/** Everything a connector discovers, without starting a process. */
export const discoverAll = async <S>(connector: ConnectorDefinition<S>, settings: S): Promise<Discovered[]> => {
  const context = { settings, allowedHosts: ['127.0.0.1'], state: undefined, log: async () => {}, progress: async () => {} }
  const found: Discovered[] = []
  for await (const each of connector.discover(context)) found.push(each)
  return found
}
