import { Sandbox } from 'e2b'
const s = await Sandbox.create('base')
const r = async (c, o) => { try { return (await s.commands.run(c, o)).stdout.trim() } catch (e) { return 'ERR ' + e.message + (e.stderr||'') } }
console.log(await r('cat /proc/sys/kernel/random/boot_id; cat /proc/uptime; ls -la /proc/sys/kernel'))
console.log(await r('mkdir -p /tmp/x; echo 123 > /run/bid; mount --bind /run/bid /proc/sys/kernel/random/boot_id && cat /proc/sys/kernel/random/boot_id; mount | head', { user: 'root' }))
await s.kill()
