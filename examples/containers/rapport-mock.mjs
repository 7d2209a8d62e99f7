// The mock service in a container; needs the package testcontainers.
import { randomUUID } from 'node:crypto'
import { createMockControl } from 'rapport-sdk/mocks/control'
import { GenericContainer, Wait } from 'testcontainers'

const PORT = 4817

/** Returns the base URL of the service, and its control. */
export async function startRapportMock() {
  const token = randomUUID()
  const container = await new GenericContainer('rapport-mock')
    .withEnvironment({ RAPPORT_MOCK_CONTROL_TOKEN: token, RAPPORT_MOCK_SCENARIO: 'empty' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/_mock/health', PORT))
    .start()
  const url = `http://${container.getHost()}:${container.getMappedPort(PORT)}`
  return { url, mock: createMockControl(url, { token }), stop: () => container.stop() }
}
