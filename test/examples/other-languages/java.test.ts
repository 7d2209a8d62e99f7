import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-files'
import { expectToFail, expectToSucceed, run } from './program'

/** For programs that run for a second: the second compiler of the virtual machine and its collector took half of the CPU time. */
const FLAGS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const command = ['java', ...FLAGS]
const compiler = ['javac', ...FLAGS.map((flag) => `-J${flag}`)]
const file = 'examples/other-languages/Quickstart.java'

test('the program in Java signs in, steps up, registers, adds a friend and receives events', async () => {
  await expectToSucceed('java-quickstart', command, file)
})

test('the program in Java fails with the status of an unexpected response', async () => {
  await expectToFail(command, file)
})

/** What the recipe uses of Testcontainers. */
const declarations = {
  'org.testcontainers.containers.GenericContainer': `class GenericContainer<T> {
    public GenericContainer(org.testcontainers.utility.DockerImageName image) {}
    public T withEnv(String name, String value) { return null; }
    public T withExposedPorts(Integer... ports) { return null; }
    public T waitingFor(org.testcontainers.containers.wait.strategy.WaitStrategy strategy) { return null; }
    public String getHost() { return null; }
    public Integer getMappedPort(int port) { return null; }
  }`,
  'org.testcontainers.containers.wait.strategy.WaitStrategy': 'interface WaitStrategy {}',
  'org.testcontainers.containers.wait.strategy.Wait':
    'class Wait { public static HttpWaitStrategy forHttp(String path) { return null; } }',
  'org.testcontainers.containers.wait.strategy.HttpWaitStrategy':
    'abstract class HttpWaitStrategy implements WaitStrategy { public abstract HttpWaitStrategy forPort(int port); }',
  'org.testcontainers.utility.DockerImageName':
    'class DockerImageName { public static DockerImageName parse(String name) { return null; } }',
}

test('the recipe for containers in Java compiles', async () => {
  const folder = temporaryFolder()
  const sources = Object.entries(declarations).map(([name, text]) => {
    const [path, folders] = [name.replaceAll('.', '/'), name.split('.').slice(0, -1)]
    mkdirSync(join(folder, ...folders), { recursive: true })
    writeFileSync(join(folder, `${path}.java`), `package ${folders.join('.')};\npublic ${text}`)
    return join(folder, `${path}.java`)
  })
  const options = ['-proc:none', '-d', folder]
  const compiled = await run([...compiler, ...options], [...sources, 'examples/containers/RapportMock.java'])
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' })
})
