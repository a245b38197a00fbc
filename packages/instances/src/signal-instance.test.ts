import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeInstance, type Instance } from './instance.ts'
import { identifyProcess } from './process-identity.ts'
import { signalInstance, untilEnded } from './signal-instance.ts'

async function startInstance(): Promise<Instance> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { ...describeInstance({ kind: 'device', folder: '/srv/x', url: 'http://u' }), ...identifyProcess(child.pid!) }
}

it('an instance ends by its signal, and one that has ended is left alone', async () => {
  const instance = await startInstance()
  signalInstance(instance, 'SIGTERM')
  await untilEnded(instance)
  expect(() => signalInstance(instance, 'SIGTERM')).not.toThrow()
})

it("another user's instance is named, with advice", async () => {
  const instance = await startInstance()
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  })
  onTestFinished(() => kill.mockRestore())
  expect(() => signalInstance(instance, 'SIGTERM')).toThrow(
    expect.objectContaining({
      message: `The device app in /srv/x (process ID ${instance.pid}) belongs to another user`,
      advice: 'run this command as that user',
    }),
  )
})
