// One Hearth that an operator started, in a folder of its own, with a real device that serves the model "tiny".

import { join } from 'node:path'
import { freePort } from '@hearth/gateway/local-servers'
import { Client } from '../harness/client/client.ts'
import { QUESTION } from '../harness/client/under-load.ts'
import { startLauncher, type LauncherProcess } from '../harness/processes/launcher-process.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { clientOf } from '../launcher/launched-parts.ts'
import { runCommand } from './run-command.ts'

export interface Place {
  /** The data folder. */
  data: string
  /** The API key, if the folder has one already: it is shown only once. */
  key?: string
  environment?: Record<string, string>
  /** The checkout that it runs from. */
  root?: string
}

export class Hearth implements AsyncDisposable {
  readonly data: string
  readonly launcher: LauncherProcess
  readonly client: Client

  private constructor(data: string, launcher: LauncherProcess, client: Client) {
    this.data = data
    this.launcher = launcher
    this.client = client
  }

  /** Resolves when its panel is on the screen. */
  static async start({ data, key, environment, root }: Place): Promise<Hearth> {
    const flags = ['--port', String(await freePort()), '--data', data, '--model', TINY_PATH]
    console.log(`  $ hearth start ${flags.join(' ')}`)
    const launcher = startLauncher(flags, environment, root)
    try {
      await launcher.heard(/Press Ctrl-C to stop/)
    } catch (error) {
      await launcher[Symbol.asyncDispose]()
      throw error
    }
    const printed = clientOf(launcher)
    return new Hearth(data, launcher, new Client(printed.base, key ?? printed.key))
  }

  /** Its embedded database. */
  get database(): string {
    return `embedded:${join(this.data, 'gateway')}`
  }

  get origin(): string {
    return new URL(this.client.base).origin
  }

  /** `hearth …` about this one. */
  run(...words: string[]): Promise<string> {
    return runCommand(words, { HEARTH_DATA: this.data })
  }

  async ask(): Promise<void> {
    const { status, text } = await this.client.post(QUESTION)
    if (status !== 200) throw new Error(`A request was not answered: ${status} ${text}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.launcher[Symbol.asyncDispose]()
  }
}
