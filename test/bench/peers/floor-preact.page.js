import { launch } from './floor-launcher.js';

// An address that the build does not follow: it would add its own way of fetching.
launch(() => import(import.meta.url.replace('page.js', 'late.js')));
