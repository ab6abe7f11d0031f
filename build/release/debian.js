// The Debian package of a release: the one file, a unit, the settings, the manual and completions.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';

const SOURCES = 'build/release/debian';
const PROGRAM = 'usr/lib/budgetd/budgetd';

/** Writes `output` from the files of this clone, in `folder`, with the day of the commit. */
export function buildDebianPackage({ folder, output, program, arch, nodeLicence, ...facts }) {
  const { version, author, seconds } = facts;
  const put = (path, content, mode = 0o644) => {
    const file = `${folder}/${path}`;
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    fs.chmodSync(file, mode);
  };
  const architecture = arch === 'x64' ? 'amd64' : arch;
  const day = new Date(seconds * 1000).toUTCString().replace('GMT', '+0000');
  const release = `budgetd (${version}) unstable; urgency=medium\n\n  * See CHANGELOG.md.gz.\n\n`;
  put(PROGRAM, fs.readFileSync(program), 0o755);
  put('usr/bin/budgetd', read('budgetd.sh'), 0o755);
  put('usr/lib/systemd/system/budgetd.service', buildUnit());
  put('etc/budgetd.conf', read('budgetd.conf'));
  put('usr/share/man/man1/budgetd.1.gz', pack(fs.readFileSync('dist/man/budgetd.1')));
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    put(path, fs.readFileSync(`packaging/completion.${shell}`));
  }
  const documents = 'usr/share/doc/budgetd';
  put(`${documents}/copyright`, read('copyright'));
  put(`${documents}/changelog.gz`, pack(`${release} -- ${author}  ${day}\n`));
  put(`${documents}/CHANGELOG.md.gz`, pack(fs.readFileSync('CHANGELOG.md')));
  for (const name of fs.readdirSync('examples/walk')) {
    put(`${documents}/examples/walk/${name}`, fs.readFileSync(`examples/walk/${name}`));
  }
  put(`${documents}/LICENSE.node.gz`, pack(fs.readFileSync(nodeLicence)));
  put('usr/share/lintian/overrides/budgetd', read('lintian-overrides'));
  const values = { version, architecture, author, size: countKibibytes(folder) };
  put(
    'DEBIAN/control',
    read('control').replace(/\{\{(\w+)\}\}/g, (_, name) => values[name]),
  );
  put('DEBIAN/conffiles', '/etc/budgetd.conf\n');
  for (const script of ['postinst', 'prerm', 'postrm'])
    put(`DEBIAN/${script}`, read(script), 0o755);
  for (const path of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (path.isDirectory()) fs.chmodSync(`${path.parentPath}/${path.name}`, 0o755);
  }
  fs.chmodSync(folder, 0o755);
  // With more threads, the bytes would depend on their number.
  const argv = ['--root-owner-group', '-Zxz', '-z3', '--threads-max=1', '--build', folder, output];
  const env = { ...process.env, SOURCE_DATE_EPOCH: seconds };
  execFileSync('dpkg-deb', argv, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/budgetd',
  zsh: 'usr/share/zsh/vendor-completions/_budgetd',
  fish: 'usr/share/fish/vendor_completions.d/budgetd.fish',
};

/** What `budgetd print unit` prints, without the lines on how to install it. */
function buildUnit() {
  const text = fs.readFileSync('packaging/budgetd.service', 'utf8');
  return text.slice(text.indexOf('[Unit]')).replace('{{command}}', `/${PROGRAM}`);
}

/** As Debian counts them: not what the file system takes, which differs from one to the other. */
function countKibibytes(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.map((entry) => {
    if (!entry.isFile()) return 1;
    return Math.ceil(fs.statSync(`${entry.parentPath}/${entry.name}`).size / 1024);
  });
  return sizes.reduce((sum, each) => sum + each, 0);
}

function read(name) {
  return fs.readFileSync(`${SOURCES}/${name}`, 'utf8');
}

/** As `gzip -9n`, which writes neither a name nor a day. */
function pack(content) {
  return gzipSync(content, { level: 9 });
}
