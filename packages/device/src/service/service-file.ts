// The device app as a service of the system: started at login, started again when it ends, stopped with time to finish its jobs. Each system
// has its own file for that; all of them are written here, and none needs an administrator.

import { homedir } from 'node:os'
import { join } from 'node:path'

export interface ServiceProgram {
  /** The program and the first words after it. */
  command: readonly string[]
  home: string
  /** How long running jobs may take at the end. */
  drainSeconds: number
}

export interface ServiceFile {
  path: string
  content: string
  encoding: 'utf8' | 'utf16le'
  /** Run in order; each is a program and its arguments. */
  install: readonly (readonly string[])[]
  uninstall: readonly (readonly string[])[]
  restart: readonly (readonly string[])[]
  /** What the owner may want to know. */
  hint: string
}

const LABEL = 'org.hearth.device'
const TASK = 'Hearth device'
/** Beside the jobs, the engine needs a moment as well. */
const SPARE_SECONDS = 30

/** Undefined on systems we know no services of. */
export function serviceFile(
  program: ServiceProgram,
  platform: NodeJS.Platform,
  userId: number,
  home = homedir(),
): ServiceFile | undefined {
  switch (platform) {
    case 'linux':
      return systemdUnit(program, home)
    case 'darwin':
      return launchAgent(program, userId, home)
    case 'win32':
      return scheduledTask(program)
    default:
      return undefined
  }
}

function systemdUnit({ command: words, home, drainSeconds }: ServiceProgram, userHome: string): ServiceFile {
  const unit = 'hearth-device.service'
  const command = [...words, '--home', home, 'start'].map(quoteForSystemd).join(' ')
  return {
    path: join(userHome, '.config/systemd/user', unit),
    encoding: 'utf8',
    content: `[Unit]
Description=Hearth device app
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${command}
Restart=always
RestartSec=5
TimeoutStopSec=${drainSeconds + SPARE_SECONDS}
KillMode=mixed

[Install]
WantedBy=default.target
`,
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', unit],
    ],
    uninstall: [['systemctl', '--user', 'disable', '--now', unit]],
    restart: [['systemctl', '--user', 'restart', unit]],
    hint: 'it runs while you are logged in; `loginctl enable-linger` keeps it running after that. Its log: journalctl --user -u hearth-device',
  }
}

/** Spaces need quotes; dollars and percent signs mean something to systemd. */
function quoteForSystemd(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')
  return `"${escaped}"`
}

function launchAgent({ command, home, drainSeconds }: ServiceProgram, userId: number, userHome: string): ServiceFile {
  const path = join(userHome, 'Library/LaunchAgents', `${LABEL}.plist`)
  const words = [...command, '--home', home, 'start']
    .map((word) => `    <string>${escapeXml(word)}</string>`)
    .join('\n')
  const log = escapeXml(join(home, 'device.log'))
  return {
    path,
    encoding: 'utf8',
    content: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ExitTimeOut</key><integer>${drainSeconds + SPARE_SECONDS}</integer>
  <key>ProcessType</key><string>Background</string>
  <key>StandardOutPath</key><string>${log}</string>
  <key>StandardErrorPath</key><string>${log}</string>
</dict>
</plist>
`,
    install: [['launchctl', 'bootstrap', `gui/${userId}`, path]],
    uninstall: [['launchctl', 'bootout', `gui/${userId}/${LABEL}`]],
    restart: [['launchctl', 'kickstart', '-k', `gui/${userId}/${LABEL}`]],
    hint: `its log: ${join(home, 'device.log')}`,
  }
}

function scheduledTask({ command, home }: ServiceProgram): ServiceFile {
  const path = join(home, 'service-task.xml')
  const [program = '', ...more] = command
  const words = [...more, '--home', home, 'start'].map((word) => `"${word}"`).join(' ')
  return {
    path,
    // The task scheduler reads nothing else.
    encoding: 'utf16le',
    content: `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions>
    <Exec><Command>${escapeXml(program)}</Command><Arguments>${escapeXml(words)}</Arguments></Exec>
  </Actions>
</Task>
`,
    install: [
      ['schtasks', '/Create', '/TN', TASK, '/XML', path, '/F'],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    uninstall: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Delete', '/TN', TASK, '/F'],
    ],
    restart: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    hint: 'it starts when you log on; see it in the Task Scheduler as "Hearth device"',
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
