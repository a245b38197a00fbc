import { PassThrough } from 'node:stream'
import { newSigningKey, writeRelease } from '@hearth/sealing'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { appFolder } from './app-folder.ts'
import { judgeCode, type CodeRoots } from './judge-code.ts'
import { DEVICE_APP } from './program.ts'

const OLD = '1.2.0-0123456789ab'
const sha256 = 'a'.repeat(64)
const app = { program: 'hearth-device', version: '1.3.0', sha256 }
const key = newSigningKey()
const next = newSigningKey()
const release: unknown = writeRelease(app, key)

/** What it says. Rejects if it may not be installed. */
async function judge(
  roots: CodeRoots,
  { version = '1.3.0', offers = release, answer = '', isFirst = false, isYes = false } = {},
) {
  const folder = appFolder(scratchFolder(), DEVICE_APP)
  if (!isFirst) folder.choose(OLD)
  const said: string[] = []
  const stdin = Object.assign(new PassThrough(), { isTTY: answer !== '' })
  stdin.write(`${answer}\n`)
  const screen = { line: (_: string, text: string) => void said.push(text), live: () => {} }
  await judgeCode({ version, sha256, bytes: 1, release: offers }, folder, roots, {
    screen,
    isYes,
    stdin,
    stdout: { write: () => true },
  })
  return said.join('\n')
}

describe('code from a gateway', () => {
  it('is installed if the seal names it, and otherwise not, whatever else speaks for it', async () => {
    const whomToAsk = 'ask Ann'
    expect(await judge({ named: [app], whomToAsk })).toContain("organization's seal names this code")
    for (const named of [
      [],
      [{ ...app, sha256: 'b'.repeat(64) }],
      [{ ...app, program: 'hearth-seal' }],
      [{ ...app, version: '1.4.0' }],
    ])
      await expect(
        judge({ named, whomToAsk, releaseKeys: [key.publicKey] }, { isYes: true, answer: 'y' }),
      ).rejects.toMatchObject({
        message: expect.stringMatching(/doesn't name device app 1\.3\.0 \(a{64}\)/),
        advice: 'ask Ann',
      })
    const newer = { ...app, version: '1.4.0', sha256: 'b'.repeat(64) }
    await expect(judge({ named: [newer], whomToAsk })).rejects.toThrow(/It names 1\.4\.0 \(b{64}\)/)
  })

  it('is installed if the project has signed it with one of its keys', async () => {
    for (const releaseKeys of [[key.publicKey], [next.publicKey, key.publicKey]])
      expect(await judge({ releaseKeys })).toContain('Signed by the project')
  })

  it.each<[string, unknown]>([
    ['with a key that was taken back', writeRelease(app, next)],
    ['for another version', writeRelease({ ...app, version: '1.3.1' }, key)],
    ['for another program', writeRelease({ ...app, program: 'hearth-seal' }, key)],
    ['for another archive', writeRelease({ ...app, sha256: 'b'.repeat(64) }, key)],
    ['not at all', null],
    ['with nonsense', { text: 1 }],
  ])('is no release if it is signed %s: then a person is asked', async (_, offers) => {
    const roots = { releaseKeys: [key.publicKey] }
    const said = await judge(roots, { offers, answer: 'y' })
    expect(said).toMatch(/from the gateway alone[\s\S]*Now: {2}0123456789ab\nThen: 1\.3\.0, a{64}/)
    await expect(judge(roots, { offers, answer: 'n' })).rejects.toThrow('Nothing was installed')
    await expect(judge(roots, { offers })).rejects.toThrow('Nobody is here to answer')
    expect(await judge(roots, { offers, isYes: true })).toContain('from the gateway alone')
  })

  it.each(['1.1.9', '0.9.0', '1.2.0-rc.1'])('is never older than what runs: %s', async (version) => {
    const named = [{ ...app, version }]
    await expect(judge({ named }, { version, isYes: true })).rejects.toThrow('is older than 1.2.0')
  })

  it('cannot be compared with anything at the first installation', async () => {
    expect(await judge({}, { isFirst: true, offers: null })).toBe('')
  })

  it('is no release as long as the project has no key', async () => {
    await expect(judge({})).rejects.toThrow('Nobody is here to answer')
  })
})
