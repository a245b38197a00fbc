// The device app as a system service: starts at login, restarts when it ends, and gets time to finish its jobs when it is stopped. Each
// system has its own file format for this; none of them needs an administrator.

import { homedir } from 'node:os'
import { join } from 'node:path'

export interface ServiceProgram {
  /** The program and its first arguments. */
  command: readonly string[]
  home: string
  /** How long running jobs may take to finish when the service stops. */
  drainSeconds: number
}

export interface ServiceFile {
  path: string
  content: string
  encoding: 'utf8' | 'utf16le'
  /** Run in order; each is a program and its arguments. */
  install: readonly (readonly string[])[]
  /** Until the next login. */
  stop: readonly (readonly string[])[]
  uninstall: readonly (readonly string[])[]
  restart: readonly (readonly string[])[]
  /** Shown to the owner after installing. */
  hint: string
}

const LABEL = 'org.hearth.device'
const TASK = 'Hearth device'
/** Time for the engine to stop, on top of the time for the jobs. */
const SPARE_SECONDS = 30

/** Undefined on systems without a supported service manager. */
export function serviceFile(
  program: ServiceProgram,
  platform: NodeJS.Platform,
  userId: number,
  home = homedir(),
): ServiceFile | undefined {
  if (platform === 'linux') return systemdUnit(program, home)
  if (platform === 'darwin') return launchAgent(program, userId, home)
  return platform === 'win32' ? scheduledTask(program) : undefined
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
LimitCORE=0

[Install]
WantedBy=default.target
`,
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', unit],
    ],
    stop: [['systemctl', '--user', 'stop', unit]],
    uninstall: [['systemctl', '--user', 'disable', '--now', unit]],
    restart: [['systemctl', '--user', 'restart', unit]],
    hint: 'It runs while you are logged in. To keep it running after you log out: loginctl enable-linger. Logs: hearth-device logs',
  }
}

/** Spaces need quotes, and systemd gives dollar and percent signs a meaning. */
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
  <key>HardResourceLimits</key><dict><key>Core</key><integer>0</integer></dict>
  <key>StandardOutPath</key><string>${log}</string>
  <key>StandardErrorPath</key><string>${log}</string>
</dict>
</plist>
`,
    install: [['launchctl', 'bootstrap', `gui/${userId}`, path]],
    stop: [['launchctl', 'bootout', `gui/${userId}/${LABEL}`]],
    uninstall: [['launchctl', 'bootout', `gui/${userId}/${LABEL}`]],
    restart: [['launchctl', 'kickstart', '-k', `gui/${userId}/${LABEL}`]],
    hint: 'Logs: hearth-device logs',
  }
}

function scheduledTask({ command, home }: ServiceProgram): ServiceFile {
  const path = join(home, 'service-task.xml')
  const [program = '', ...more] = command
  const words = [...more, '--home', home, 'start'].map((word) => `"${word}"`).join(' ')
  return {
    path,
    // The only encoding that Task Scheduler reads.
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
    stop: [['schtasks', '/End', '/TN', TASK]],
    uninstall: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Delete', '/TN', TASK, '/F'],
    ],
    restart: [
      ['schtasks', '/End', '/TN', TASK],
      ['schtasks', '/Run', '/TN', TASK],
    ],
    hint: 'It starts when you sign in to Windows. You can find it in Task Scheduler as "Hearth device".',
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
