/**
 * What the tests need from the system beyond packages: three browser engines, PostgreSQL, nginx and the languages of the
 * README's examples. Each is looked for, installed where this user may, and otherwise reported with the command that
 * gets it. Knows Node alone.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findPostgres, howToGetPostgres } from '../demo/postgres.mjs';

const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
const first = (...paths) => paths.find((path) => path && existsSync(path));
const command = (...names) => first(...names.flatMap((name) => folders.map((folder) => join(folder, name))));

/** WebKit's small browser lies in a library folder, and which one depends on the machine. */
function miniBrowser() {
  const inside = (folder) =>
    existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  const libraries = ['/usr/lib', '/usr/lib64', '/usr/libexec', ...inside('/usr/lib')];
  const places = libraries.flatMap((folder) =>
    ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((name) => join(folder, name)),
  );
  return first(process.env.WEBKIT_PATH, ...places.map((folder) => join(folder, 'MiniBrowser')));
}

function webkit() {
  const driver = first(process.env.WEBKIT_DRIVER_PATH) ?? command('WebKitWebDriver');
  const browser = miniBrowser();
  const display = command('Xvfb');
  return driver && browser && display ? { driver, browser, display } : undefined;
}

const chromium = () =>
  first(process.env.CHROMIUM_PATH) ??
  command('chromium', 'chromium-browser', 'google-chrome') ??
  first(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  );

/** Chromium without the parts around its pages: the same pages for less processor time. Whoever names a browser gets that. */
const shell = () => (process.env.CHROMIUM_PATH ? undefined : command('chromium-headless-shell'));

const firefox = () =>
  first(process.env.FIREFOX_PATH) ??
  command('firefox-esr', 'firefox') ??
  first(
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  );

/** The engines that are here now: the path of each, three of them for WebKit. Nobody needs the shell. */
export const engines = () => ({
  chromium: chromium(),
  shell: shell(),
  firefox: firefox(),
  webkit: webkit(),
});

/** Debian has it where only administrators look. */
export const findNginx = () =>
  first(process.env.NGINX_PATH) ??
  command('nginx') ??
  first('/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx');

export const howToGetNginx =
  'No nginx found. Install it ("sudo apt-get install nginx", "brew install nginx"), or set NGINX_PATH to it.';

const packages = {
  chromium: ['chromium'],
  shell: ['chromium-headless-shell'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
};

export const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // No process in reserve for each profile, of which there are many, and not the two pages of an address bar that
  // nobody sees: they took most of a second. The last four are the driver's own wish, which this takes the place of.
  '--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup,PaintHolding,Translate,ThirdPartyStoragePartitioning,HttpsUpgrades',
];

export const howToGet = {
  chromium:
    'No Chromium found. Install one ("sudo apt-get install chromium", or Google Chrome), or set CHROMIUM_PATH to it.',
  firefox:
    'No Firefox found. Install one ("sudo apt-get install firefox-esr", or Mozilla\'s own), or set FIREFOX_PATH to it.',
  webkit:
    'No WebKit found. Install it ("sudo apt-get install webkit2gtk-driver xvfb"), or set WEBKIT_DRIVER_PATH to WebKitWebDriver and WEBKIT_PATH to MiniBrowser.',
};

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const apt = (...args) =>
  execFileSync('apt-get', args, {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

let isUpdated = false;
/** Once. A source that does not answer keeps nothing from what is known of the others. */
function update() {
  if (isUpdated) return;
  isUpdated = true;
  try {
    apt('update');
  } catch {
    console.error('apt-get could not read all of its sources anew.');
  }
}

function installOne(find, name) {
  if (find() || !mayInstall()) return Boolean(find());
  console.log(`Installing ${name} …`);
  update();
  try {
    apt('install', '-y', '--no-install-recommends', name);
  } catch {
    console.error(`apt-get could not install ${name}.`);
  }
  return Boolean(find());
}

/** @returns whether the programs are here, after one attempt to install them */
export const installPostgres = () => installOne(findPostgres, 'postgresql');
export const installNginx = () => installOne(findNginx, 'nginx');

export { howToGetPostgres };

/** What an example is run with: how it is asked whether it is there, and how it is got; the large ones never by us. */
const languages = {
  Python: { asked: ['python3', '--version'], name: 'python3' },
  PHP: { asked: ['php', '--version'], name: 'php-cli' },
  Ruby: { asked: ['ruby', '--version'], name: 'ruby' },
  Go: { asked: ['go', 'version'], name: 'golang-go', isLarge: true },
  // With its compiler; one of Java 17 or newer is enough.
  Java: {
    asked: ['java', '--list-modules'],
    answer: /^jdk\.compiler@(?:1[7-9]|[2-9]\d)/m,
    name: 'default-jdk-headless',
    isLarge: true,
  },
};

/** @returns whether this machine can run a program in it */
export function speaks(language) {
  const { asked, answer = /./ } = languages[language];
  const [program, ...args] = asked;
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 && answer.test(stdout);
}

/** @returns those that are not here, after one attempt to install those that are small, and how each is got */
export function missingLanguages() {
  return Object.entries(languages)
    .filter(([language, { name, isLarge }]) =>
      isLarge ? !speaks(language) : !installOne(() => speaks(language), name),
    )
    .map(([language, { asked, name, isLarge = false }]) => ({
      language,
      isLarge,
      howToGet: `No ${asked[0]} found. Install it ("sudo apt-get install ${name}").`,
    }));
}

/** @returns the engines, after one attempt to install those of the wanted that are missing */
export function installEngines(names) {
  const found = engines();
  const missing = names.filter((name) => !found[name]);
  if (!missing.length || !mayInstall()) return found;
  const wanted = missing.flatMap((name) => packages[name]);
  console.log(`Installing ${wanted.join(', ')} …`);
  const install = (some) => {
    try {
      apt('install', '-y', '--no-install-recommends', ...some);
      return true;
    } catch {
      console.error(`apt-get could not install ${some.join(', ')}.`);
      return false;
    }
  };
  update();
  // One package that is not to be had fails the whole call; the other engines do not suffer for it.
  if (!install(wanted) && missing.length > 1) for (const name of missing) install(packages[name]);
  return engines();
}
