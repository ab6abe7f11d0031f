/** Texts that have broken other programs. Our own list of well-known kinds. */

const MEGA = 'W'.repeat(2000);

/** Texts that every field takes, with something to recognise them where they are short. */
export const ODD_TEXTS: readonly string[] = [
  // Scripts, in elements, attributes and addresses.
  '<script>alert(1)</script>',
  '</script><script>alert(2)</script>',
  '"><script>alert(3)</script>',
  "'><img src=x onerror=alert(4)>",
  '" onmouseover="alert(5)" x="',
  "' autofocus onfocus='alert(6)",
  '</title></textarea></select></option><svg/onload=alert(7)>',
  '--><iframe src="javascript:alert(8)"></iframe><!--',
  'javascript:alert(9)',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  '<a href="https://evil.example">click</a>',
  '<base href="//evil.example/"><form action="//evil.example">',
  '<![CDATA[<b>]]>',
  '&lt;script&gt;alert(10)&lt;/script&gt; &amp; &#60; &nbsp',
  '&#x3C;b&#x3E; &notit; &copy',
  '`onclick=alert(11)` \\"\\\' \\u003cscript\\u003e',
  // Templates, replacement patterns, formats and paths.
  '$\u007b7*7} {{7*7}} #{7*7} <%= 7*7 %> {% raw %}',
  "$& $1 $$ $` $' $<name>",
  '%s %d %n %x %p %00 %0d%0aSet-Cookie:%20a=b',
  '../../../../etc/passwd?x=1&y=2#frag',
  'C:\\Windows\\system32\\con.txt;id|whoami `ls` $(reboot)',
  // SQL, spreadsheets, values of programs.
  "Robert'); DROP TABLE transactions;--",
  "1' OR '1'='1' /* ; */ UNION SELECT NULL--",
  '%_[]^\\ LIKE %a%',
  '=SUM(A1:A9)+cmd|/C calc!A0',
  '@SUM(1+1)*cmd|x!z',
  '-2+3+cmd|x!z',
  '"quoted, with commas", and ; semicolons',
  'undefined',
  'null',
  'NaN',
  'Infinity -0 1e400 0x10',
  'true false [object Object]',
  '__proto__ constructor toString hasOwnProperty',
  '{"a":[1,{"b":null}]}',
  // Other scripts and directions, and what is not seen.
  'שלום עולם \u202eevil\u202c مرحبا',
  '\u2066left\u2069 \u200f\u200e \u2067right\u2069',
  'zero\u200bwidth\u200c\u200d\ufeff\u2060\u00adend',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  'O\u0301 \u00d3 \u1e69\u0323 I\u0307 \u0130 \u0131 ß ẞ ǅ',
  '👩‍👩‍👧‍👦 🏳️‍🌈 🇬🇧 👍🏿 \u{1f9d1}\u200d\u{1f680}',
  '田中さんにあげて下さい 部落格 ﾟ･✿ヾ╲(｡◕‿◕｡)╱✿･ﾟ',
  'ด้้้้้็็็็็้้้้้ ┬─┬ノ(º_ºノ) (╯°□°）╯︵ ┻━┻)',
  '\u{10ffff} \ufffe \uffff \ufdd0 \ue000',
  'tab\u2028line\u2029paragraph\u00a0space\u3000wide',
  '１２３ ٠١٢٣ ½ ⁰⁴⁵ Ⅷ',
  // Long ones.
  MEGA,
  'é'.repeat(2000),
  '😀'.repeat(2000),
  '<b>'.repeat(700),
];

/** Texts that no field of a name or a row takes, or not as they are. */
export const REFUSED_TEXTS: readonly string[] = [
  '\u0000',
  'nul\u0000byte',
  'bell\u0007 escape\u001b[31m red',
  '\u0085 next \u009b line',
  'line\r\nbreak\rLocation: https://evil.example',
  ' ',
  '\u3000\ufeff',
  'x'.repeat(20_000),
];
